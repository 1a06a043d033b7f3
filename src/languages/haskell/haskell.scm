(header module: (module) @package)

(declarations (signature name: (variable) @name) @definition.function)
(declarations (signature name: (prefix_id (operator) @name)) @definition.function)
(declarations (signature names: (binding_list name: (variable) @name)) @definition.function)
(declarations (function name: (variable) @name match: (_)? @body) @definition.function)
(declarations (function name: (prefix_id (operator) @name) match: (_)? @body) @definition.function)
(declarations (function (infix operator: (operator) @name) match: (_)? @body) @definition.function)
(declarations (bind name: (variable) @name match: (_)? @body) @definition.function)
(declarations (foreign_import signature: (signature name: (variable) @name)) @definition.function)
(pattern_synonym (equation synonym: (apply function: (constructor) @name))) @definition.function

(data_type name: (name) @name) @definition.type
(newtype name: (name) @name) @definition.type
(type_synomym name: (name) @name) @definition.type
(type_family name: (name) @name) @definition.type
(data_family name: (name) @name) @definition.type
(class name: (name) @name declarations: (_)? @body) @definition.interface
(instance patterns: (type_patterns . (name) @name) declarations: (_)? @body) @definition.extension
(instance patterns: (type_patterns . (parens (apply constructor: (name) @name))) declarations: (_)? @body) @definition.extension
(instance patterns: (type_patterns . (parens (apply constructor: (apply constructor: (name) @name)))) declarations: (_)? @body) @definition.extension
(instance patterns: (type_patterns . [(list) (tuple) (unit) (variable)] @name) declarations: (_)? @body) @definition.extension

(data_constructor (prefix name: (constructor) @name)) @definition.constant
(data_constructor (record name: (constructor) @name)) @definition.constant
(newtype_constructor name: (constructor) @name) @definition.constant
(gadt_constructor name: (constructor) @name) @definition.constant
(field name: (field_name (variable) @name)) @definition.field

(class_declarations (signature name: (variable) @name) @definition.method)
(class_declarations (signature name: (prefix_id (operator) @name)) @definition.method)
(class_declarations (signature names: (binding_list name: (variable) @name)) @definition.method)
(instance_declarations (function name: (variable) @name match: (_)? @body) @definition.method)
(instance_declarations (bind name: (variable) @name match: (_)? @body) @definition.method)

(instance name: (name) @conform)
(instance name: (qualified module: (_) @conform.receiver id: (name) @conform))
(instance patterns: (type_patterns . (name) @extend))
(instance patterns: (type_patterns . (parens (apply constructor: (name) @extend))))
(instance patterns: (type_patterns . (parens (apply constructor: (apply constructor: (name) @extend)))))
(deriving classes: (name) @conform)
(deriving classes: (tuple (name) @conform))
(class context: (context (apply constructor: (name) @inherit)))

(apply function: (variable) @call)
(apply function: (qualified module: (_) @call.receiver id: (variable) @call))
(apply function: (constructor) @call)
(qualified module: (_) @read.receiver id: (variable) @read)
; `f $ x` and `f . g` call f and, in the end, g.
((infix left_operand: (variable) @call operator: (operator) @word) (#any-of? @word "$" "$!" "." "<$>" "<$!>" "=<<" ">=>" "<=<"))
((infix operator: (operator) @word right_operand: (variable) @call) (#any-of? @word "." "<=<" ">=>" ">>=" "&" "<&>"))
(infix left_operand: (variable) @read)
(infix right_operand: (variable) @read)
(infix_id (variable) @call)
(match expression: (variable) @read)
(qualified module: (_) @type.receiver id: (name) @type)
(name) @type

(import) @import
