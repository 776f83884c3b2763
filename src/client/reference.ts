import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './reference.css';

/** Swagger UI is dark where the page has this class; `public/color-scheme.js` has read what the console, or else the system, is set to. */
const page = document.documentElement;
page.classList.toggle('dark-mode', page.getAttribute('data-mantine-color-scheme') === 'dark');

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
