"""`make soak`: a server for half an hour with 2,000 connections that come, play, talk and go."""
