"""Answers every question with nothing, zero or what it was given; not one point is earned."""


def scaled_dot_product_attention(query, key, value, mask=None):
    return None


def causal_mask(size):
    return 0


def positional_encoding(length, width):
    return 0.0


def shift_targets(targets):
    return None


def smoothed_targets(labels, num_classes, epsilon=0.1):
    return labels


def smoothed_cross_entropy(logits, labels, epsilon=0.1, ignore_index=None):
    return 0.0


def greedy_decode(step, bos, eos, max_new_tokens):
    return []


def beam_search(step, bos, eos, k, max_new_tokens, alpha=0.0):
    return []


def train_step(model, optimizer, source, target, pad=None):
    return 0.0
