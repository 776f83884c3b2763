CREATE TABLE "key_counters" (
	"key_id" bigint NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"requests" bigint NOT NULL,
	CONSTRAINT "key_counters_key_id_hour_pk" PRIMARY KEY("key_id","hour")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "former_hash" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "former_last_four" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "former_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "key_counters" ADD CONSTRAINT "key_counters_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_counters_hour" ON "key_counters" USING btree ("hour");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_former_hash" ON "api_keys" USING btree ("former_hash");--> statement-breakpoint
-- A former value that ends before its time counts from the answer on.
DROP TRIGGER "api_keys_change" ON "api_keys";
--> statement-breakpoint
CREATE TRIGGER "api_keys_change" AFTER DELETE OR UPDATE OF "hash", "former_hash", "former_until", "project_id", "permissions", "collection_ids", "is_active", "expires_at"
  ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "note_change"('key', 'id');
