(class name: (constant) @name) @definition.class
(class name: (scope_resolution scope: (_)? @receiver name: (constant) @name)) @definition.class
(module name: (constant) @name) @definition.module
(module name: (scope_resolution scope: (_)? @receiver name: (constant) @name)) @definition.module

; `private def m`: the whole call is the definition, so that its signature tells the visibility.
(call arguments: (argument_list . (method name: (_) @name body: (_)? @body))) @definition.method
(call arguments: (argument_list . (singleton_method object: (_) @receiver name: (_) @name body: (_)? @body))) @definition.method
(singleton_class value: (self) @receiver body: (body_statement (method name: (_) @name) @definition.method))
(singleton_class value: (self) @receiver body: (body_statement (call arguments: (argument_list . (method name: (_) @name body: (_)? @body))) @definition.method))
(method name: (_) @name) @definition.method
(singleton_method object: (_) @receiver name: (_) @name) @definition.method
(singleton_class) @scope

(alias name: (_) @name) @definition.method
((call arguments: (argument_list . (call method: (identifier) @word arguments: (argument_list (simple_symbol) @name)))) @definition.property
  (#any-of? @word "attr_accessor" "attr_reader" "attr_writer"))
((call method: (identifier) @word arguments: (argument_list (simple_symbol) @name)) @definition.property
  (#any-of? @word "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor" "cattr_reader" "cattr_writer" "mattr_accessor" "mattr_reader"
    "mattr_writer" "thread_mattr_accessor" "thread_cattr_accessor" "class_attribute" "attr_internal" "attr_internal_reader"
    "attr_internal_accessor"))
((call method: (identifier) @word arguments: (argument_list . (simple_symbol) @name)) @definition.property
  (#any-of? @word "has_many" "has_one" "belongs_to" "has_and_belongs_to_many" "has_one_attached" "has_many_attached" "attribute" "config_accessor"))
((call method: (identifier) @word arguments: (argument_list . [(simple_symbol) (string . (string_content) .)] @name)) @definition.method
  (#any-of? @word "define_method" "alias_method" "define_singleton_method" "scope" "task"))
((call method: (identifier) @word arguments: (argument_list . (pair key: [(hash_key_symbol) (simple_symbol) (string . (string_content) .)] @name)))
  @definition.method (#eq? @word "task"))

((assignment left: (constant) @name
  right: [
    (call receiver: (constant) @word method: (identifier) @new block: (_)? @body)
    (call receiver: (scope_resolution) @word method: (identifier) @new block: (_)? @body)
  ]) @definition.class
  (#any-of? @word "Struct" "Class" "Data" "Module" "::Struct" "::Class")
  (#any-of? @new "new" "define"))
(assignment left: (constant) @name) @definition.constant
(assignment left: (scope_resolution scope: (_)? @receiver name: (constant) @name)) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant

(class body: (body_statement (identifier) @visibility.private (#eq? @visibility.private "private")))
(class body: (body_statement (identifier) @visibility.protected (#eq? @visibility.protected "protected")))
(class body: (body_statement (identifier) @visibility.public (#eq? @visibility.public "public")))
(module body: (body_statement (identifier) @visibility.private (#eq? @visibility.private "private")))
(module body: (body_statement (identifier) @visibility.protected (#eq? @visibility.protected "protected")))
(module body: (body_statement (identifier) @visibility.public (#eq? @visibility.public "public")))
(singleton_class body: (body_statement (identifier) @visibility.private (#eq? @visibility.private "private")))

(superclass (constant) @inherit)
(superclass (scope_resolution scope: (_)? @inherit.receiver name: (constant) @inherit))
((call receiver: (constant) @word arguments: (argument_list . [
  (constant) @inherit
  (scope_resolution scope: (_)? @inherit.receiver name: (constant) @inherit)
])) (#eq? @word "Class"))
((call !receiver method: (identifier) @word arguments: (argument_list (constant) @conform)) (#any-of? @word "include" "extend" "prepend"))
((call !receiver method: (identifier) @word
  arguments: (argument_list (scope_resolution scope: (_)? @conform.receiver name: (constant) @conform)))
  (#any-of? @word "include" "extend" "prepend"))

(call receiver: (_) @call.receiver method: (identifier) @call)
(call !receiver method: (identifier) @call)
(super) @call
(body_statement (identifier) @call)

(scope_resolution scope: (_) @type.receiver name: (constant) @type)
(constant) @type

((call !receiver method: (identifier) @word arguments: (argument_list (string))) @import
  (#any-of? @word "require" "require_relative" "load" "autoload" "require_dependency" "eager_autoload"))
