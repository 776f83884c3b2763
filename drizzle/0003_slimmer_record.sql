ALTER TABLE "overrides" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "synonyms" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "overrides" CASCADE;--> statement-breakpoint
DROP TABLE "synonyms" CASCADE;--> statement-breakpoint
DROP INDEX "projects_workspace";--> statement-breakpoint
CREATE INDEX "events_actor" ON "events" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "events_created" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "usage_counters_hour" ON "usage_counters" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "collections_project" ON "collections" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "projects_deleted" ON "projects" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "workspaces_deleted" ON "workspaces" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "projects_workspace" ON "projects" USING btree ("workspace_id");--> statement-breakpoint
ALTER TABLE "api_keys" DROP COLUMN "secret_version";