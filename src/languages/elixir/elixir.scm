; Kinds are told by the first word of the declaration (descriptors/elixir.ts): every further pattern for calls costs, since everything is a call.
((call target: (identifier) @word (arguments . (alias) @name) (do_block)? @body) @definition.module (#any-of? @word "defmodule" "defprotocol"))
((call target: (identifier) @word
  (arguments . (alias) @receiver (keywords (pair value: [(alias) @name (list (alias) @name)])))
  (do_block)? @body) @definition.extension (#eq? @word "defimpl"))
((call target: (identifier) @word (arguments . (alias) @name .) (do_block)? @body) @definition.extension (#eq? @word "defimpl"))

((call target: (identifier) @word
  (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: [(call target: (identifier) @name) (identifier) @name (binary_operator operator: _ @name)] operator: "when")
    (binary_operator operator: _ @name)
  ] (keywords)? @body)
  (do_block)? @body) @definition.function
  (#any-of? @word "def" "defp" "defdelegate" "defn" "defnp" "defmacro" "defmacrop" "defguard" "defguardp"))

((call target: (identifier) @word
  (arguments [
    (list (atom) @name)
    (list (keywords (pair key: (keyword) @name)))
    (keywords (pair key: (keyword) @name))
  ])) @definition.field
  (#any-of? @word "defstruct" "defexception"))
((call target: (identifier) @word (arguments . (atom) @name)) @definition.field
  (#any-of? @word "field" "belongs_to" "has_many" "has_one" "many_to_many" "embeds_one" "embeds_many"))

((unary_operator operand: (call target: (identifier) @word
  (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))) @definition.type
  (#any-of? @word "type" "typep" "opaque"))
((unary_operator operand: (call target: (identifier) @word
  (arguments . [
    (binary_operator left: (call target: (identifier) @name) operator: "::")
    (binary_operator left: (binary_operator left: (call target: (identifier) @name) operator: "::") operator: "when")
  ]))) @definition.method
  (#any-of? @word "callback" "macrocallback"))
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @definition.constant
  (#not-any-of? @name "doc" "moduledoc" "typedoc" "shortdoc" "spec" "impl" "type" "typep" "opaque" "callback" "macrocallback" "behaviour" "derive"
    "enforce_keys" "dialyzer" "compile" "deprecated" "before_compile" "after_compile" "on_load" "on_definition" "external_resource"
    "optional_callbacks" "tag" "moduletag" "describetag" "protocol" "fallback_to_any" "primary_key" "foreign_key_type" "timestamps_opts"))

((unary_operator operator: "@" operand: (call target: (identifier) @word (arguments . [(string) (sigil)] @doc)))
  (#any-of? @word "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @word (arguments . [(string) (sigil)] @doc.inside)))
  (#any-of? @word "moduledoc" "shortdoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @word)) @attribute
  (#any-of? @word "doc" "typedoc" "spec" "impl" "deprecated"))

((unary_operator operator: "@" operand: (call target: (identifier) @word (arguments . (alias) @conform))) (#eq? @word "behaviour"))
((call target: (identifier) @word (arguments . (alias) @inherit)) (#eq? @word "use"))
((call target: (identifier) @word (arguments . (alias) @conform)) (#eq? @word "defimpl"))
((call target: (identifier) @word (arguments (keywords (pair value: [(alias) @extend (list (alias) @extend)])))) (#eq? @word "defimpl"))

((unary_operator operator: "@" operand: (call target: (identifier) @word
  (arguments . [
    (binary_operator left: (call target: (identifier) @declared))
    (binary_operator left: (binary_operator left: (call target: (identifier) @declared)))
  ]))) (#eq? @word "spec"))
(call target: (identifier) @call)
(call target: (dot left: (_) @call.receiver right: (identifier) @call) (arguments))
(call target: (dot left: (alias) @call.receiver right: (identifier) @call))
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @call operator: "/"))
(unary_operator operator: "&" operand: (binary_operator left: (call target: (dot left: (_) @call.receiver right: (identifier) @call)) operator: "/"))
(binary_operator operator: "|>" right: (identifier) @call)
(alias) @type

((call target: (identifier) @word (arguments . [(alias) (dot)])) @import (#any-of? @word "alias" "import" "use" "require"))
