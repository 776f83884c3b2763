import { Text } from '@mantine/core';
import table from '#client/components/display/table-panel.module.css';
import classes from './response-panel.module.css';

export function HeadersTable({ headers }: { headers: [name: string, value: string][] }) {
  if (headers.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No answer came, so there are no headers.
      </Text>
    );
  return (
    <table aria-label="Response headers" className={`${table['table']} ${classes['headers']}`}>
      <tbody>
        {headers.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
