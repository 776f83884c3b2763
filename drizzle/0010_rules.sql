CREATE TABLE "overrides" (
	"collection_id" bigint NOT NULL,
	"id" text NOT NULL,
	"definition" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "overrides_collection_id_id_pk" PRIMARY KEY("collection_id","id")
);
--> statement-breakpoint
CREATE TABLE "presets" (
	"collection_id" bigint NOT NULL,
	"id" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "presets_collection_id_id_pk" PRIMARY KEY("collection_id","id")
);
--> statement-breakpoint
CREATE TABLE "search_settings" (
	"collection_id" bigint PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL,
	"bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "synonyms" (
	"collection_id" bigint NOT NULL,
	"id" text NOT NULL,
	"members" jsonb NOT NULL,
	"root" text,
	"bytes" integer NOT NULL,
	CONSTRAINT "synonyms_collection_id_id_pk" PRIMARY KEY("collection_id","id")
);
--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "rules_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "overrides" ADD CONSTRAINT "overrides_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_settings" ADD CONSTRAINT "search_settings_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "synonyms" ADD CONSTRAINT "synonyms_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Servers know for a while which version of its rules a collection has.
CREATE TRIGGER "collections_rules_change" AFTER UPDATE OF "rules_version" ON "collections"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('project', 'project_id');
