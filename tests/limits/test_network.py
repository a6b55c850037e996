"""Addresses as the keys of limits."""

from __future__ import annotations

from tests.kit.cases import together
from twentytwo_server.limits.network import is_local, network_of, read_address

NETWORKS = [
    ("192.0.2.1", "192.0.2.1"),
    ("::ffff:192.0.2.1", "192.0.2.1"),
    ("unix", "unix"),
    ("", ""),
    ("fe80::1%eth0", network_of("fe80::2")),
    ("2001:db8:1:2:3:4:5:6", "20010db800010002/64"),
    ("2001:db8:1:2::1", "20010db800010002/64"),
    ("2001:db8:1:3::1", "20010db800010003/64"),
]


@together(("address", "network"), NETWORKS)
def test_a_network_of_ipv6_is_one_key(address: str, network: str) -> None:
    assert network_of(address) == network


READ = [
    ("192.0.2.1", "192.0.2.1"),
    ("192.0.2.1:4000", "192.0.2.1"),
    ("[2001:db8::1]:4000", "2001:db8::1"),
    ("[2001:db8::1]", "2001:db8::1"),
    ("2001:DB8:0::1", "2001:db8::1"),
    ("fe80::1%eth0", "fe80::1"),
    ("::ffff:192.0.2.1", "192.0.2.1"),
    ("example.org", None),
    ("", None),
]


@together(("text", "address"), READ)
def test_an_address_has_one_spelling(text: str, address: str | None) -> None:
    assert read_address(text) == address


@together(
    ("address", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("unix", True),
        ("192.0.2.1", False),
        ("2001:db8::1", False),
        ("localhost", False),
    ],
)
def test_an_address_is_of_this_machine_or_not(address: str, local: bool) -> None:
    assert is_local(address) is local
