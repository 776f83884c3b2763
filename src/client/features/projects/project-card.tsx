import { ActionIcon, Group, Text } from '@mantine/core';
import type { IconShape } from '#client/components/display/icon.tsx';
import { Icon } from '#client/components/display/icon.tsx';
import {
  adjustmentsHorizontalIcon,
  keyIcon,
  stack2Icon,
  trashIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { CardLink, LinkCard } from '#client/components/display/link-card.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { Tip } from '#client/components/later/tip.tsx';
import { formatDate, formatNumber } from '#client/lib/format.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Project } from '#shared/projects.ts';
import classes from './project-card.module.css';

interface ProjectCardProps {
  project: Project;
  onEdit: () => void;
  onDelete: () => void;
}

export function ProjectCard({ project, onEdit, onDelete }: ProjectCardProps) {
  return (
    <LinkCard
      link={
        <CardLink to="/projects/$id" params={{ id: project.id }}>
          {project.name}
        </CardLink>
      }
      actions={
        <>
          <May atLeast="editor">
            <Tip label="Project settings">
              <ActionIcon aria-label={`Settings of ${project.name}`} onClick={onEdit}>
                <Icon shape={adjustmentsHorizontalIcon} />
              </ActionIcon>
            </Tip>
          </May>
          <May atLeast="admin">
            <Tip label="Delete project">
              <ActionIcon aria-label={`Delete ${project.name}`} onClick={onDelete}>
                <Icon shape={trashIcon} />
              </ActionIcon>
            </Tip>
          </May>
        </>
      }
      description={project.description}
      footer={
        <>
          <StatusBadge isActive />
          <Text size="xs" c="dimmed">
            Created {formatDate(project.createdAt)}
          </Text>
        </>
      }
    >
      <Group gap="md" mt="auto">
        <Count icon={stack2Icon} value={project.collectionsCount} one="collection" many="collections" />
        <Count icon={keyIcon} value={project.apiKeysCount} one="API key" many="API keys" />
      </Group>
    </LinkCard>
  );
}

function Count(props: { icon: IconShape; value: number; one: string; many: string }) {
  return (
    <Text size="sm" className={classes['count'] ?? ''}>
      <Icon shape={props.icon} size={16} />
      {formatNumber(props.value)} {props.value === 1 ? props.one : props.many}
    </Text>
  );
}
