/** The package brings no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  const SwaggerUI: (options: Record<string, unknown>) => unknown;

  // biome-ignore lint/style/noDefaultExport: the package's own export is one.
  export { SwaggerUI as default };
}
