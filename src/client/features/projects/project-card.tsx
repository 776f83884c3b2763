import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { Icon, type IconShape } from '#client/components/display/icon.tsx';
import { CardLink, LinkCard } from '#client/components/display/link-card.tsx';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { formatDate, formatNumber } from '#client/lib/format.ts';
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
          <Tooltip label="Project settings">
            <ActionIcon aria-label={`Settings of ${project.name}`} onClick={onEdit}>
              <Icon shape={IconAdjustmentsHorizontal} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Delete project">
            <ActionIcon aria-label={`Delete ${project.name}`} onClick={onDelete}>
              <Icon shape={IconTrash} />
            </ActionIcon>
          </Tooltip>
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
        <Count icon={IconStack2} value={project.collectionsCount} one="collection" many="collections" />
        <Count icon={IconKey} value={project.apiKeysCount} one="API key" many="API keys" />
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
