-- What documents are, read by a statement of its own: the statement that calls sees in it what was committed while it waited for a lock.
-- By the key, whatever is known of the table: a plan lasts as long as its connection, and the table may have grown since.
CREATE FUNCTION "document_states"("of_collection" bigint, "ids" text[])
RETURNS TABLE ("id" text, "version" bigint, "bytes" integer, "model_id" text) LANGUAGE plpgsql VOLATILE SET "enable_seqscan" = 'off' AS $$
BEGIN
  RETURN QUERY SELECT d."id", d."version", octet_length(d."source"), d."model_id"
    FROM "documents" d WHERE d."collection_id" = of_collection AND d."id" = ANY (ids);
END $$;
