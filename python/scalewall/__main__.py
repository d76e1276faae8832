"""`python -m scalewall` is the command line."""

from scalewall.cli import main

if __name__ == "__main__":
    main()
