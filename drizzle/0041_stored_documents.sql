-- By version, of an index that no statement can use which asks for documents of a collection by their ids: one by the collection was read whole for them
-- where Postgres had not heard of its documents yet.
CREATE INDEX "documents_versions" ON "documents" USING btree ((collection_id + 0),"version","id");--> statement-breakpoint
-- Documents by their ids, read by a statement of its own: a statement that calls it after it waited for a lock sees in it what was committed meanwhile.
-- By the key, whatever is known of the table. A plan lasts as long as its connection, and was often made while the table had few rows: others read all of
-- it for a hundred ids.
CREATE FUNCTION "stored_documents"("of_collection" bigint, "ids" text[])
RETURNS SETOF "documents" LANGUAGE plpgsql VOLATILE
SET "enable_seqscan" = 'off' SET "enable_bitmapscan" = 'off' SET "enable_hashjoin" = 'off' SET "enable_mergejoin" = 'off' AS $$
BEGIN
  RETURN QUERY SELECT d.* FROM "documents" d WHERE d."collection_id" = of_collection AND d."id" = ANY (ids);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "document_states"("of_collection" bigint, "ids" text[])
RETURNS TABLE ("id" text, "version" bigint, "bytes" integer, "model_id" text) LANGUAGE plpgsql VOLATILE
SET "enable_seqscan" = 'off' SET "enable_bitmapscan" = 'off' SET "enable_hashjoin" = 'off' SET "enable_mergejoin" = 'off' AS $$
BEGIN
  RETURN QUERY SELECT d."id", d."version", octet_length(d."source"), d."model_id"
    FROM "documents" d WHERE d."collection_id" = of_collection AND d."id" = ANY (ids);
END $$;
--> statement-breakpoint
-- Last, since nobody reads documents from here to the end of the migrations.
DROP INDEX "documents_version";
