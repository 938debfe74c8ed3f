# The image: bayplan and nothing else. It is built from the folder that scripts/packages FOLDER container packs; docs/container.md.
# `--target ci` adds a shell, which CI servers want that run a script in the image.
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
