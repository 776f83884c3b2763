CREATE TABLE "monthly_requests" (
	"workspace_id" bigint NOT NULL,
	"month" timestamp with time zone NOT NULL,
	"requests" bigint NOT NULL,
	CONSTRAINT "monthly_requests_workspace_id_month_pk" PRIMARY KEY("workspace_id","month")
);
--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "document_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "plan" text DEFAULT 'free' NOT NULL;--> statement-breakpoint
ALTER TABLE "monthly_requests" ADD CONSTRAINT "monthly_requests_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "monthly_requests_month" ON "monthly_requests" USING btree ("month");
--> statement-breakpoint
UPDATE "collections" SET "document_bytes" = coalesce(
  (SELECT sum(octet_length("source")) FROM "documents" WHERE "collection_id" = "collections"."id"), 0);
--> statement-breakpoint
INSERT INTO "monthly_requests" ("workspace_id", "month", "requests")
  SELECT "workspace_id", date_trunc('month', "hour" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', sum("requests") FROM "usage_counters" GROUP BY 1, 2;
--> statement-breakpoint
-- Servers know the plan of a workspace for a while.
CREATE TRIGGER "workspaces_plan_change" AFTER UPDATE OF "plan" ON "workspaces"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('workspace', 'id');
--> statement-breakpoint
-- From here to the end of their transactions, those who add to one workspace take turns. Row locks come before, so that none is waited for meanwhile.
CREATE FUNCTION "lock_quotas"("of_workspace" bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('vectora quotas', of_workspace))
$$;
--> statement-breakpoint
-- Fails the statement that has added so much to a project's collections, when their workspace has more than its plan gives then. Each statement
-- in here sees what was committed while it waited, and what the statement that calls has done.
CREATE FUNCTION "assert_document_quotas"("of_project" bigint, "added_documents" bigint, "added_bytes" bigint, "limits" jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  workspace bigint;
  own_plan text;
  documents_max bigint;
  bytes_max bigint;
  documents bigint;
  bytes bigint;
BEGIN
  SELECT w."id", w."plan" INTO workspace, own_plan
    FROM "projects" p JOIN "workspaces" w ON w."id" = p."workspace_id" WHERE p."id" = of_project;
  IF added_documents > 0 THEN
    documents_max := limits -> own_plan ->> 'documents';
  END IF;
  IF added_bytes > 0 THEN
    bytes_max := limits -> own_plan ->> 'bytes';
  END IF;
  IF documents_max IS NULL AND bytes_max IS NULL THEN
    RETURN true;
  END IF;
  PERFORM "lock_quotas"(workspace);
  SELECT coalesce(sum(c."document_count"), 0), coalesce(sum(c."document_bytes"), 0) INTO documents, bytes
    FROM "collections" c JOIN "projects" p ON p."id" = c."project_id" WHERE p."workspace_id" = workspace AND c."deleted_at" IS NULL;
  IF documents > documents_max THEN
    RAISE EXCEPTION 'quota exceeded' USING ERRCODE = 'VQ001', DETAIL = jsonb_build_object('quota', 'documents', 'plan', own_plan,
      'used', documents - added_documents, 'limit', documents_max, 'added', added_documents);
  END IF;
  IF bytes > bytes_max THEN
    RAISE EXCEPTION 'quota exceeded' USING ERRCODE = 'VQ001', DETAIL = jsonb_build_object('quota', 'bytes', 'plan', own_plan,
      'used', bytes - added_bytes, 'limit', bytes_max, 'added', added_bytes);
  END IF;
  RETURN true;
END $$;
