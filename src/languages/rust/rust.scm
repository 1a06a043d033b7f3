(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.constant
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.variable
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name . ["{" "(" "["] @body) @definition.macro
(field_declaration name: (field_identifier) @name) @definition.field

; An impl block extends its type and, with a trait, says that it conforms.
(impl_item
  type: [
    (type_identifier) @name @extend
    (primitive_type) @name @extend
    (generic_type type: (type_identifier) @name @extend)
    (generic_type type: (scoped_type_identifier path: (_)? @extend.receiver name: (type_identifier) @name @extend))
    (scoped_type_identifier path: (_)? @extend.receiver name: (type_identifier) @name @extend)
    (reference_type type: (type_identifier) @name @extend)
    (reference_type type: (primitive_type) @name @extend)
    (reference_type type: (generic_type type: (type_identifier) @name @extend))
    (pointer_type type: (type_identifier) @name @extend)
    (dynamic_type trait: (type_identifier) @name @extend)
  ]) @definition.extension
(impl_item type: [(array_type) (tuple_type) (unit_type) (function_type) (macro_invocation)] @name) @definition.extension
(impl_item type: (reference_type type: [(array_type) (tuple_type) (dynamic_type)] @name)) @definition.extension

(impl_item trait: (type_identifier) @conform)
(impl_item trait: (generic_type type: (type_identifier) @conform))
(impl_item trait: (scoped_type_identifier path: (_) @conform.receiver name: (type_identifier) @conform))
(impl_item trait: (generic_type type: (scoped_type_identifier path: (_) @conform.receiver name: (type_identifier) @conform)))
(trait_item bounds: (trait_bounds (type_identifier) @inherit))
(trait_item bounds: (trait_bounds (scoped_type_identifier path: (_) @inherit.receiver name: (type_identifier) @inherit)))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @inherit)))

(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @call.receiver field: (field_identifier) @call))
(call_expression function: (scoped_identifier path: (_)? @call.receiver name: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier path: (_)? @call.receiver name: (identifier) @call)))
(call_expression function: (generic_function function: (field_expression value: (_) @call.receiver field: (field_identifier) @call)))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier path: (_)? @call.receiver name: (identifier) @call))

; What a macro is given is tokens to the grammar: a name before parentheses is a call there too. What lies between is looked at later.
(token_tree (identifier) @call . (token_tree))

; Functions as values
(arguments (identifier) @read)
(arguments (scoped_identifier path: (_) @read.receiver name: (identifier) @read))

(scoped_type_identifier path: (_)? @type.receiver name: (type_identifier) @type)
(type_identifier) @type

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
