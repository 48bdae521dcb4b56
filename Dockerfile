# Builds two images: `gateway`, which contains only the files for production, and `sandbox` for the demo.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-slim AS base
WORKDIR /app

# Builds the client with exactly the packages of the lock file, without running their scripts.
FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY shared ./shared
COPY client ./client
RUN node node_modules/vite/bin/vite.js build client

# Removes the tests, source maps and types of packages.
FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
RUN find node_modules \( -type d \( -name test -o -name tests -o -name __tests__ \) -o -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -prune -exec rm -rf {} +

# The identity provider and upstream APIs of the demo. Never for production. They need one package more than the gateway, which npm
# takes in the version of the lock file.
FROM base AS sandbox
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --save-prod --omit=dev --ignore-scripts oidc-provider
COPY test/sandbox ./test/sandbox
ENV SANDBOX_HOST=0.0.0.0
USER 1000:1000
EXPOSE 4000
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "test/sandbox/main.ts"]

# The last stage, which `docker build .` builds by default.
FROM base AS gateway
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_PORT=9464
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY shared ./shared
COPY server ./server
COPY --from=build /app/dist/client ./dist/client
# The image's user `node`, as a number so that orchestrators see that it is not root. It cannot write anywhere.
USER 1000:1000
EXPOSE 3000 9464
# Healthy while the process runs, once it was ready. Load balancers use /readyz instead. bash answers in time on a busy host,
# where a second Node would take seconds to start. Builders before 2024 do not know `--start-interval`.
HEALTHCHECK --interval=5s --timeout=10s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$METRICS_PORT && printf 'GET /startedz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
# Node is process 1, so that it receives the signals.
STOPSIGNAL SIGTERM
# A young generation of 16 MB takes less CPU than 8 or 32 MB (`npm run bench -- proxy`). The other options delay full garbage
# collections from about 20 to 130 MB of heap, with one helper thread instead of four: by default, each large customer causes
# several, and the helper threads delay all calls (`npm run bench -- aggregation search`).
ENTRYPOINT ["node", "--max-semi-space-size=16", "--initial-old-space-size=256", "--v8-pool-size=1", "server/main.ts"]
ARG VERSION=1.1.0
ARG REVISION=unknown
# Shown in the log at the start and in gateway_build_info.
ENV GATEWAY_VERSION=${VERSION} GATEWAY_REVISION=${REVISION}
LABEL org.opencontainers.image.title="Portal gateway" \
  org.opencontainers.image.description="Cloud management portal for building-automation devices: gateway and client" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
