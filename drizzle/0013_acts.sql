-- What somebody did is told to all servers on this record once it is committed, for those who look at it: its workspace, the procedure, what it
-- was about, and the request. Nothing of what was changed.
CREATE FUNCTION "tell_act"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vectora_acts', concat_ws(' ', new."workspace_id", new."action", coalesce(new."target_id"::text, ''), coalesce(new."request_id", '')));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_entries_act" AFTER INSERT ON "audit_entries" FOR EACH ROW
  WHEN (new."outcome" = 'done' AND new."workspace_id" IS NOT NULL) EXECUTE FUNCTION "tell_act"();
