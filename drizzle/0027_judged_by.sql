ALTER TABLE "judgements" ADD COLUMN "judged_by_user" bigint;--> statement-breakpoint
ALTER TABLE "judgements" ADD COLUMN "judged_by_key" bigint;--> statement-breakpoint
ALTER TABLE "judgements" ADD CONSTRAINT "judgements_judged_by_user_users_id_fk" FOREIGN KEY ("judged_by_user") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "judgements" ADD CONSTRAINT "judgements_judged_by_key_api_keys_id_fk" FOREIGN KEY ("judged_by_key") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "judgements_user" ON "judgements" USING btree ("judged_by_user");--> statement-breakpoint
CREATE INDEX "judgements_key" ON "judgements" USING btree ("judged_by_key");