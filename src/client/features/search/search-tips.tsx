import { List } from '@mantine/core';
import { Panel } from '#client/components/display/panel.tsx';

export function SearchTips() {
  return (
    <Panel title="Search Tips">
      <List size="sm" spacing="xs">
        <List.Item>
          <strong>Semantic</strong> finds what is meant: “something to keep me warm” finds coats and blankets.
        </List.Item>
        <List.Item>
          <strong>Keyword</strong> finds the words themselves, with small typos and word endings forgiven:
          best for names, codes and quotations.
        </List.Item>
        <List.Item>
          <strong>Hybrid</strong> weighs both; move the slider towards words or meaning.
        </List.Item>
        <List.Item>
          <code>"space station"</code> has to stand there word for word, and <code>-war</code> must not, in
          each of the three.
        </List.Item>
        <List.Item>
          Choose one collection to narrow by its fields, to sort, and to see all its documents without a
          query.
        </List.Item>
        <List.Item>
          Filters combine: <code>price:[10..50] &amp;&amp; !tags:old</code>. The address of this page holds
          the whole search, so it can be shared.
        </List.Item>
      </List>
    </Panel>
  );
}
