-- Servers keep for a while what the record says of their callers. Each change of such a row is noted twice: for the transaction that made
-- it, which asks before its commit, and on a channel for all other servers on this record. A change is `<kind>:<id>`; a list that grows
-- too long becomes `all:`.
CREATE FUNCTION "note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noted text := coalesce(current_setting('vectora.changes', true), '');
  change text := tg_argv[0] || ':' || (to_jsonb(coalesce(new, old)) ->> tg_argv[1]);
BEGIN
  IF length(noted) > 60000 THEN
    change := 'all:';
  END IF;
  IF position(' ' || change || ' ' IN ' ' || noted) = 0 THEN
    PERFORM set_config('vectora.changes', noted || change || ' ', true);
    PERFORM pg_notify('vectora_changes', pg_current_xact_id()::text || ' ' || change);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "api_keys_change" AFTER DELETE OR UPDATE OF "hash", "project_id", "permissions", "collection_ids", "is_active", "expires_at"
  ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "note_change"('key', 'id');
--> statement-breakpoint
CREATE TRIGGER "sessions_end" AFTER DELETE ON "sessions" FOR EACH ROW EXECUTE FUNCTION "note_change"('session', 'id');
--> statement-breakpoint
CREATE TRIGGER "sessions_shortened" AFTER UPDATE OF "expires_at", "user_id" ON "sessions" FOR EACH ROW
  WHEN (new."expires_at" < old."expires_at" OR new."user_id" <> old."user_id") EXECUTE FUNCTION "note_change"('session', 'id');
--> statement-breakpoint
CREATE TRIGGER "members_change" AFTER INSERT OR DELETE OR UPDATE ON "members"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('member', 'user_id');
--> statement-breakpoint
CREATE TRIGGER "collections_change" AFTER INSERT OR DELETE
  OR UPDATE OF "project_id", "name", "dimension", "metric", "metadata", "is_active", "deleted_at"
  ON "collections" FOR EACH ROW EXECUTE FUNCTION "note_change"('project', 'project_id');
--> statement-breakpoint
CREATE TRIGGER "projects_change" AFTER DELETE OR UPDATE OF "workspace_id", "deleted_at" ON "projects"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('project', 'id');
--> statement-breakpoint
CREATE TRIGGER "workspaces_change" AFTER DELETE OR UPDATE OF "deleted_at" ON "workspaces"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('workspace', 'id');
