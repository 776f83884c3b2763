ALTER TABLE "events" DROP CONSTRAINT "events_actor_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "conversations" DROP CONSTRAINT "conversations_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_invited_by_users_id_fk";
--> statement-breakpoint
ALTER TABLE "judgements" DROP CONSTRAINT "judgements_judged_by_user_users_id_fk";
--> statement-breakpoint
DROP INDEX "events_actor";--> statement-breakpoint
DROP INDEX "judgements_user";