/* imgtool.schema.json as text: what documents that imgtool prints as JSON look like. */
#ifndef IMGTOOL_APP_TEXT_SCHEMA_SCHEMA_H
#define IMGTOOL_APP_TEXT_SCHEMA_SCHEMA_H

extern const char json_schema[];

#endif
