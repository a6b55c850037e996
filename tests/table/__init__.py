"""Tests of tables and conversations, which do no input or output."""
