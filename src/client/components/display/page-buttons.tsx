import { Pagination } from '@mantine/core';

interface PageButtonsProps {
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** The buttons of a `Pager`. */
export function PageButtons({ page, pages, onChange }: PageButtonsProps) {
  return (
    <Pagination
      size="sm"
      siblings={1}
      total={pages}
      value={page}
      onChange={onChange}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
    />
  );
}
