/** Each icon by its own file: the package's index holds six thousand, which every build and test would read. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  const shape: import('./icon.tsx').IconShape;
  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default shape;
}
