CREATE TABLE "judgements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "judgements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection_id" bigint NOT NULL,
	"query" text NOT NULL,
	"document_id" text NOT NULL,
	"grade" smallint NOT NULL,
	"judged_at" timestamp with time zone NOT NULL,
	CONSTRAINT "judgements_grade" CHECK (grade between 0 and 3)
);
--> statement-breakpoint
CREATE TABLE "relevance_measures" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "relevance_measures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection_id" bigint NOT NULL,
	"measured_at" timestamp with time zone NOT NULL,
	"mode" text NOT NULL,
	"reason" text,
	"changes" jsonb NOT NULL,
	"queries" integer NOT NULL,
	"ndcg" double precision NOT NULL,
	"hit_rate" double precision NOT NULL,
	"mrr" double precision NOT NULL,
	"results" jsonb,
	CONSTRAINT "relevance_measures_shares" CHECK (ndcg between 0 and 1 and hit_rate between 0 and 1 and mrr between 0 and 1)
);
--> statement-breakpoint
ALTER TABLE "judgements" ADD CONSTRAINT "judgements_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relevance_measures" ADD CONSTRAINT "relevance_measures_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "judgements_document" ON "judgements" USING btree ("collection_id","query","document_id");--> statement-breakpoint
CREATE INDEX "relevance_measures_collection" ON "relevance_measures" USING btree ("collection_id","id");