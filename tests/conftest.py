"""What every test stands on."""

import signal

# A shell that starts a job in the background has it ignore Ctrl-C, and what it starts as well; the tests of
# Ctrl-C, and the programs they start, need the handler that Python sets where nothing is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)
