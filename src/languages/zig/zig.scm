(function_declaration name: (identifier) @name) @definition.function

(variable_declaration (identifier) @name (struct_declaration "{" @body)) @definition.struct
(variable_declaration (identifier) @name (enum_declaration "{" @body)) @definition.enum
(variable_declaration (identifier) @name (union_declaration "{" @body)) @definition.struct
(variable_declaration (identifier) @name (opaque_declaration "{" @body)) @definition.struct
(variable_declaration (identifier) @name (error_set_declaration)) @definition.enum
(source_file (variable_declaration . (identifier) @name) @definition.constant)
(source_file (variable_declaration . "pub" . ["const" "var"] . (identifier) @name) @definition.constant)
(source_file (variable_declaration . ["const" "var"] . (identifier) @name) @definition.constant)
(struct_declaration (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
(enum_declaration (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)
(union_declaration (variable_declaration ["const" "var"] . (identifier) @name) @definition.constant)

(struct_declaration (container_field name: (identifier) @name) @definition.field)
(union_declaration (container_field name: (identifier) @name) @definition.field)
(enum_declaration (container_field name: (identifier) @name) @definition.constant)
(enum_declaration (container_field type: (identifier) @name) @definition.constant)
(source_file (container_field name: (identifier) @name) @definition.field)

(test_declaration (string (string_content) @name)) @definition.function

(call_expression function: (identifier) @call)
(call_expression function: (field_expression object: (_) @call.receiver member: (identifier) @call))
(call_expression function: (field_expression !object member: (identifier) @call))

(parameter type: (identifier) @type)
(parameter type: (_ (identifier) @type))
(function_declaration type: (identifier) @type)
(function_declaration type: (error_union_type ok: (identifier) @type))
(container_field type: (identifier) @type)
(container_field type: (_ (identifier) @type))
(struct_initializer (identifier) @type)
(variable_declaration type: (identifier) @type)
(variable_declaration type: (_ (identifier) @type))

((builtin_function (builtin_identifier) @word (arguments (string (string_content) @import.source))) @import
  (#any-of? @word "@import" "@cInclude" "@embedFile"))
((variable_declaration (identifier) @import.alias
  (builtin_function (builtin_identifier) @word (arguments (string (string_content) @import.source)))) @import
  (#eq? @word "@import"))
