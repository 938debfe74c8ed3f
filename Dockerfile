# The container image with only bayplan. scripts/packages FOLDER container packs the folder from which it is built; docs/container.md.
# `--target ci` adds a shell for CI servers that run a script in the image.
FROM busybox:stable-musl AS ci
ARG TARGETARCH
COPY $TARGETARCH/bayplan /bin/bayplan
COPY LICENSE $TARGETARCH/NOTICE /usr/share/doc/bayplan/

FROM scratch
ARG TARGETARCH
COPY $TARGETARCH/bayplan /bin/bayplan
COPY LICENSE $TARGETARCH/NOTICE /usr/share/doc/bayplan/
WORKDIR /work
ENTRYPOINT ["/bin/bayplan"]
