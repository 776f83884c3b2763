CREATE TABLE "detected_languages" (
	"collection_id" bigint PRIMARY KEY NOT NULL,
	"language" text,
	"read_documents" integer DEFAULT 0 NOT NULL,
	"held_documents" integer DEFAULT 0 NOT NULL,
	"acts" boolean DEFAULT true NOT NULL,
	"changes" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "detected_languages" ADD CONSTRAINT "detected_languages_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- What collections with documents find stays as it is until their owners say otherwise.
INSERT INTO "detected_languages" ("collection_id", "acts") SELECT "id", false FROM "collections" WHERE "document_count" > 0;
