ALTER TABLE "collections" ADD COLUMN "upgraded_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "written_version" bigint;--> statement-breakpoint
CREATE INDEX "documents_to_upgrade" ON "documents" USING btree ("collection_id","id") WHERE model_id like 'static-%';