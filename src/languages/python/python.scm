(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @definition.type

(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
(module (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name) @definition.variable))))
(module (try_statement body: (block (expression_statement (assignment left: (identifier) @name) @definition.variable))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.variable)))

(class_definition superclasses: (argument_list (identifier) @inherit))
(class_definition superclasses: (argument_list (attribute object: (_) @inherit.receiver attribute: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (attribute object: (_) @inherit.receiver attribute: (identifier) @inherit))))

(call function: (identifier) @call)
(call function: (attribute object: (_) @call.receiver attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute object: (_) @call.receiver attribute: (identifier) @call))

; Functions and classes as values
(argument_list (identifier) @read)
(keyword_argument value: (identifier) @read)
(pair value: (identifier) @read)
(list (identifier) @read)

(type (identifier) @type)
(type (attribute object: (_) @type.receiver attribute: (identifier) @type))
(type (subscript value: (identifier) @type))
(type (generic_type (identifier) @type))
(type (binary_operator (identifier) @type))

(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(class_pattern (dotted_name . (identifier) @type .))
(class_pattern (dotted_name (identifier) @type.receiver . (identifier) @type .))
