CREATE TABLE "click_positions" (
	"collection_id" bigint NOT NULL,
	"day" date NOT NULL,
	"position" smallint NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "click_positions_collection_id_day_position_pk" PRIMARY KEY("collection_id","day","position")
);
--> statement-breakpoint
CREATE TABLE "search_days" (
	"collection_id" bigint NOT NULL,
	"day" date NOT NULL,
	"searches" integer DEFAULT 0 NOT NULL,
	"without_results" integer DEFAULT 0 NOT NULL,
	"took_ms" double precision DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"clicked" integer DEFAULT 0 NOT NULL,
	"conversions" integer DEFAULT 0 NOT NULL,
	"converted" integer DEFAULT 0 NOT NULL,
	"queries" integer DEFAULT 0 NOT NULL,
	"events" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "search_days_collection_id_day_pk" PRIMARY KEY("collection_id","day")
);
--> statement-breakpoint
CREATE TABLE "search_events" (
	"collection_id" bigint NOT NULL,
	"search" bigint NOT NULL,
	"type" text NOT NULL,
	"document" bigint NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "search_events_collection_id_search_type_document_pk" PRIMARY KEY("collection_id","search","type","document")
);
--> statement-breakpoint
CREATE TABLE "search_queries" (
	"collection_id" bigint NOT NULL,
	"day" date NOT NULL,
	"mode" text NOT NULL,
	"key" bigint NOT NULL,
	"query" text,
	"searches" integer DEFAULT 0 NOT NULL,
	"without_results" integer DEFAULT 0 NOT NULL,
	"found" bigint DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"clicked" integer DEFAULT 0 NOT NULL,
	"positions" bigint DEFAULT 0 NOT NULL,
	"conversions" integer DEFAULT 0 NOT NULL,
	"converted" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "search_queries_collection_id_day_mode_key_pk" PRIMARY KEY("collection_id","day","mode","key")
);
--> statement-breakpoint
ALTER TABLE "click_positions" ADD CONSTRAINT "click_positions_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_days" ADD CONSTRAINT "search_days_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_events" ADD CONSTRAINT "search_events_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_queries" ADD CONSTRAINT "search_queries_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "click_positions_day" ON "click_positions" USING btree ("day");--> statement-breakpoint
CREATE INDEX "search_days_day" ON "search_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "search_events_day" ON "search_events" USING btree ("day");--> statement-breakpoint
CREATE INDEX "search_queries_day" ON "search_queries" USING btree ("day");