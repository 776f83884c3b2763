import { Select, type SelectProps, Text } from '@mantine/core';
import { roleWords } from '#client/lib/role-words.ts';
import { isAtLeast, type Role, roles } from '#shared/roles.ts';
import classes from './rows.module.css';

interface RoleSelectProps
  extends Pick<SelectProps, 'className' | 'aria-label' | 'label' | 'description' | 'size' | 'disabled'> {
  /** No role above it is offered. */
  most: Role;
  value: Role;
  onChange: (role: Role) => void;
}

/** Each role with what it may do. */
export function RoleSelect({ most, value, onChange, ...props }: RoleSelectProps) {
  const offered = roles.filter((role) => isAtLeast(most, role));
  return (
    <Select
      {...props}
      data={offered.map((role) => ({ value: role, label: roleWords[role].label }))}
      allowDeselect={false}
      value={value}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {roleWords[option.value as Role].may}
          </Text>
        </div>
      )}
      classNames={{ dropdown: classes['roles'] ?? '' }}
      comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
    />
  );
}
