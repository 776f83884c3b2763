CREATE TABLE "index_outbox" (
	"collection_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() + interval '10 seconds' NOT NULL,
	"fault" text,
	CONSTRAINT "index_outbox_collection_id_version_pk" PRIMARY KEY("collection_id","version")
);
--> statement-breakpoint
CREATE TABLE "search_indexes" (
	"collection_id" bigint PRIMARY KEY NOT NULL,
	"generation" bigint NOT NULL,
	"is_ready" boolean DEFAULT false NOT NULL,
	"analyzer" text NOT NULL,
	"refreshed_version" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "is_indexed_apart" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "index_outbox" ADD CONSTRAINT "index_outbox_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_indexes" ADD CONSTRAINT "search_indexes_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "index_outbox_due" ON "index_outbox" USING btree ("due_at") WHERE fault is null;--> statement-breakpoint
-- In the transaction that writes a version of a collection which has an index in a search cluster, whoever writes it.
CREATE FUNCTION "note_index_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "index_outbox" ("collection_id", "version") VALUES (new."id", new."version");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "collections_index_version" AFTER UPDATE OF "version" ON "collections" FOR EACH ROW
  WHEN (new."is_indexed_apart" AND new."version" <> old."version") EXECUTE FUNCTION "note_index_version"();
