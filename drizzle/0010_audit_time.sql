DROP INDEX "audit_entries_workspace";--> statement-breakpoint
CREATE INDEX "audit_entries_workspace_time" ON "audit_entries" USING btree ("workspace_id","created_at","id");