#!/bin/sh
# Exchanges the image of the gateways without a failed call, and goes back by itself when the new one is not well. Redis and
# the secrets are not touched. In the folder of docker-compose.yml, with an image that is built or pulled:
#   .github/operations/upgrade.sh portal-gateway:1.1.0
# It needs an empty GATEWAY_PORT and a balancer: new and old gateways run beside each other. The image of before rolls back.
set -eu

image=${1:?which image? upgrade.sh portal-gateway:1.1.0}
export GATEWAY_IMAGE="$image"

say() { echo "upgrade: $*"; }
end() {
  say "$*; the gateways of before go on as they were" >&2
  exit 1
}

old=$(docker compose ps -q gateway)
[ -n "$old" ] || end "no gateway runs here"
count=$(echo "$old" | wc -l)
before=$(docker compose ps -aq gateway)

docker image inspect "$image" > /dev/null || end "there is no image $image: build or pull it first"
say "checking $image with the settings of this folder"
docker compose run --rm --no-deps gateway --check || end "$image would not work"

# Those that were started here.
new() {
  for one in $(docker compose ps -aq gateway); do
    echo "$before" | grep -qx "$one" || echo "$one"
  done
}
back() {
  trap - INT TERM
  for one in $(new); do docker rm -f "$one" > /dev/null; done
  end "$*"
}
trap 'back "interrupted"' INT TERM

say "starting $count of $image beside those that run"
# Not with --no-deps: Compose would take these gateways for changed at the next `docker compose up -d`, and restart them all at once.
docker compose up -d --no-recreate --scale "gateway=$((2 * count))" --wait --wait-timeout 90 gateway ||
  back "$image does not get ready"
# What a browser would be sent to.
can_sign_in='
  const { PORT, METRICS_PORT, OIDC_CLIENT_ID } = process.env
  const ready = await fetch(`http://127.0.0.1:${METRICS_PORT}/readyz`)
  const login = await fetch(`http://127.0.0.1:${PORT}/auth/login`, { redirect: "manual" })
  const address = URL.parse(login.headers.get("location") ?? "")
  process.exit(ready.ok && address?.searchParams.get("client_id") === OIDC_CLIENT_ID ? 0 : 1)'
for one in $(new); do
  docker exec "$one" node --input-type=module -e "$can_sign_in" || back "nobody could sign in at $one"
done

trap - INT TERM
for one in $old; do
  say "stopping $one"
  docker stop -t 40 "$one" > /dev/null
  docker rm "$one" > /dev/null
done
# Renamed at the end, so that no failure leaves half of the settings. The copy has the mode of the file, which may be a link.
touch .env
settings=$(readlink -f .env)
cp -p "$settings" "$settings.new" &&
  { awk '!/^GATEWAY_IMAGE=/' "$settings" && echo "GATEWAY_IMAGE=$image"; } > "$settings.new" &&
  mv -f "$settings.new" "$settings" || {
  rm -f "$settings.new"
  say "$image runs, but .env cannot be written: set GATEWAY_IMAGE=$image there" >&2
  exit 1
}
# The next `docker compose up -d` would recreate `secrets` for its new image, and with it Redis and all gateways at once.
docker compose up --no-start --no-deps secrets > /dev/null 2>&1 ||
  say "the container of secrets was not renewed: the next docker compose up restarts Redis and all gateways" >&2
say "done: $count of $image, which .env names now"
