#undef NODE
#undef FIELDS
#undef FIELD_AS
#undef FIELD
#undef UNWRITTEN
#pragma GCC diagnostic pop
