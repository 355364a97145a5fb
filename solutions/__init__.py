"""Reference implementations: one module per homework, and the solved notebooks built from them."""
