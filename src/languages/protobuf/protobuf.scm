(message (message_name (identifier) @name) (message_body) @body) @definition.struct
(enum (enum_name (identifier) @name) (enum_body) @body) @definition.enum
(enum_field (identifier) @name) @definition.constant
(service (service_name (identifier) @name)) @definition.interface
(rpc (rpc_name (identifier) @name)) @definition.method
(field (type) (identifier) @name) @definition.field
(map_field (type) (identifier) @name) @definition.field
(oneof (identifier) @name) @definition.field
(oneof_field (type) (identifier) @name) @definition.field
(extend (full_ident) @name (message_body) @body) @definition.extension

(extend (full_ident) @extend)
(message_or_enum_type) @type

(package (full_ident) @package)
(import path: (string) @import.source) @import
