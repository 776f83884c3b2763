# Vectora as an image: `docker build -t vectora .`, or `docker compose up` (compose.yaml). docs/operations.md says what it needs.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/tabler-icons scripts/tabler-icons
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# What the bundles do not hold stays; what they were made with goes.
RUN npm run build && node scripts/keep-runtime-packages.mjs

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
# What starts it, and the operator's commands; the other scripts are for writing code.
COPY --from=build /app/scripts/start.mjs /app/scripts/demo.mjs /app/scripts/ensure-installed.mjs /app/scripts/freshness.mjs scripts/
COPY --from=build /app/scripts/operator-command.mjs /app/scripts/reset-password.mjs /app/scripts/disable-account.mjs scripts/
COPY --from=build /app/scripts/set-plan.mjs /app/scripts/migrate.mjs scripts/
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/docs docs
COPY --from=build /app/models models
COPY --from=build /app/samples samples
COPY --from=build /app/dist dist
RUN mkdir /data && chown node:node /data
# By number, so that who runs it can tell that it is not root.
USER 1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "scripts/start.mjs"]
