"""Makes `python -m twentytwo_server` the same as `twentytwo-server`."""

from .cli import main

if __name__ == "__main__":
    main(prog_name="twentytwo-server")
