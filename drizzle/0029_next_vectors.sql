CREATE TABLE "next_vectors" (
	"collection_id" bigint NOT NULL,
	"id" text NOT NULL,
	"version" bigint NOT NULL,
	"model" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"model_id" text,
	"vectors" "bytea",
	"spans" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "next_vectors_collection_id_id_pk" PRIMARY KEY("collection_id","id")
);
--> statement-breakpoint
ALTER TABLE "next_vectors" ADD CONSTRAINT "next_vectors_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;