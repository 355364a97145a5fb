# %% [markdown]
# """Runs programs by IPython's escapes: they must do nothing, and what else is there counts."""

# %%
# !touch @CANARY@/touched /tmp/hostile-mark
# files = !sleep 98765 &
# %system touch @CANARY@/touched
# %sx touch @CANARY@/touched

# %% language="bash"
# touch @CANARY@/touched

# %%
# %%script bash --bg
# touch @CANARY@/touched

# %%
# %%writefile @CANARY@/touched
# hello

# %%
shell = get_ipython()  # noqa: F821
for run in (shell.system, shell.getoutput, shell.system_raw, shell.system_piped):
    try:
        run("touch @CANARY@/touched")
    except Exception:
        pass


# %%
def double(x):
    return 2 * x


# %%
def apply(step, numbers):
    return [step(n) for n in numbers]
