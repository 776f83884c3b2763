import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';

/** The page at `/api/docs`: the REST API's description, readable, and each operation to be tried. */
SwaggerUI({
  dom_id: '#reference',
  url: '/api/openapi.json',
  // Nothing is sent to anybody else.
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { activated: true, theme: 'nord' },
});
