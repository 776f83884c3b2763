ALTER TABLE "api_keys" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "api_keys_deleted" ON "api_keys" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
-- A key that is deleted, or restored, counts from the answer on.
DROP TRIGGER "api_keys_change" ON "api_keys";
--> statement-breakpoint
CREATE TRIGGER "api_keys_change" AFTER DELETE OR UPDATE OF "hash", "former_hash", "former_until", "project_id", "permissions", "collection_ids", "is_active", "expires_at", "deleted_at"
  ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "note_change"('key', 'id');
