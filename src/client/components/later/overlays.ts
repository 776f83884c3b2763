import { Modal, Select, Tooltip } from '@mantine/core';

/**
 * What floats over a page, in one file that is fetched after the page is painted. What a page shows at once takes them from the files
 * beside this one, which hold their place until then.
 */
export const overlays = { Modal, Select, Tooltip };
