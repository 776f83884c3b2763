ALTER TABLE "search_events" ADD COLUMN "document_id" text;--> statement-breakpoint
ALTER TABLE "search_events" ADD COLUMN "query_key" bigint;