"""Starts what is in the images, without a container engine and without a registry.

Makes a base image of this machine's Java, the images on top of it, unpacks them, and runs each entry point as the image's own user
in a root folder of its own. Needs root, for chroot. Usage: check-images.py CHECKOUT FOLDER
"""

import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

# What each entry point says when it is started with no setting at all.
SAYS = {
    "platform-api": "TIDEMARK_POSTGRES_URL must be set",
    "provision": "provision needs these environment variables",
}
JAVA = "/opt/java"


def main(checkout: pathlib.Path, folder: pathlib.Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    base = folder / "base.tar"
    write_base(folder / "base", base)
    subprocess.run(
        ["mvn", "-q", "-B", "-f", str(checkout / "infra/images/pom.xml"), "package", "jib:buildTar",
         f"-Dimages.directory={folder}", f"-Dimages.java=tar://{base}", f"-Dimages.flink=tar://{base}"],
        check=True)
    for image in ("platform-api", "provision", "flink-jobs"):
        root = folder / image
        settings = unpack(folder / f"{image}.tar", root)
        user = settings["User"]
        assert user and not user.startswith("0"), f"{image} runs as '{user}'"
        if image == "flink-jobs":
            check_jobs(checkout, root)
        else:
            ended, told = started(root, settings, user.split(":")[0])
            assert ended != 0 and SAYS[image] in told, f"{image} ended with {ended}:\n{told[-4000:]}"
        if image == "provision":
            check_provision(checkout, root)
            ended, told = started(root, settings, user.split(":")[0], "draw-secrets")
            assert ended == 0 and "\nTIDEMARK_BOOTSTRAP_DEMO_KEY=tdm_env-demo_" in told, f"draw-secrets ended with {ended}:\n{told[-4000:]}"
        print(f"{image}: runs as {user}, {sum(f.stat().st_size for f in root.rglob('*') if f.is_file()) >> 20} MiB with its Java")
        shutil.rmtree(root)


def write_base(root: pathlib.Path, target: pathlib.Path) -> None:
    """A Java and the libraries that it is linked with; nothing else, not even a shell."""
    program = os.path.join(os.environ["JAVA_HOME"], "bin/java") if "JAVA_HOME" in os.environ else shutil.which("java")
    home = pathlib.Path(os.path.realpath(program)).parents[1]
    root.mkdir()
    shutil.copytree(home, root / JAVA[1:], symlinks=False, ignore_dangling_symlinks=True,
                    ignore=lambda at, names: [n for n in names if n in ("jmods", "src.zip", "man", "demo", "docs", "include")])
    programs = [root / JAVA[1:] / "bin/java", *(root / JAVA[1:] / "lib").rglob("*.so")]
    linked = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True).stdout
    for library in {*re.findall(r"(/\S+\.so\S*)", linked), "/lib/x86_64-linux-gnu/libnss_files.so.2"}:
        path = pathlib.Path(library)
        if path.exists() and not path.is_relative_to(root):
            copy = root / library.lstrip("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path.resolve(), copy)
    for directory in ("tmp", "dev", "proc", "etc"):
        (root / directory).mkdir(exist_ok=True)
    (root / "tmp").chmod(0o1777)
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        tar.add(root, arcname=".")
    digest = hashlib.sha256(layer.getvalue()).hexdigest()
    configuration = json.dumps({
        "architecture": "amd64", "os": "linux", "config": {"Env": [f"PATH={JAVA}/bin"]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]}, "history": [{"created_by": "check-images"}]}).encode()
    manifest = json.dumps([{"Config": "config.json", "RepoTags": ["java:base"], "Layers": ["layer.tar"]}]).encode()
    with tarfile.open(target, "w") as tar:
        for name, content in (("layer.tar", layer.getvalue()), ("config.json", configuration), ("manifest.json", manifest)):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    shutil.rmtree(root)


def unpack(image: pathlib.Path, root: pathlib.Path) -> dict:
    root.mkdir()
    with tarfile.open(image) as tar:
        manifest = json.load(tar.extractfile("manifest.json"))[0]
        for layer in manifest["Layers"]:
            with tarfile.open(fileobj=tar.extractfile(layer)) as files:
                files.extractall(root)
        return json.load(tar.extractfile(manifest["Config"]))["config"]


def started(root: pathlib.Path, settings: dict, user: str, *arguments: str) -> tuple[int, str]:
    """Runs the entry point in the image; returns its exit code and what it said."""
    assert settings["Entrypoint"][0] == "java", settings["Entrypoint"]
    for device in ("null", "random", "urandom"):
        subprocess.run(["cp", "-a", f"/dev/{device}", str(root / "dev")], check=True)
    environment = dict(entry.split("=", 1) for entry in settings["Env"])

    def enter() -> None:
        os.chroot(root)
        os.chdir(settings.get("WorkingDir") or "/")
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))

    # Java finds its own libraries by what the kernel says of its process.
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    try:
        ended = subprocess.run(
            [f"{JAVA}/bin/java", *settings["Entrypoint"][1:], *arguments], env=environment, preexec_fn=enter, capture_output=True, text=True, timeout=300)
    finally:
        subprocess.run(["umount", str(root / "proc")], check=True)
    return ended.returncode, ended.stdout + ended.stderr


def check_provision(checkout: pathlib.Path, root: pathlib.Path) -> None:
    """What Compose has nothing beside for: the jobs' jars where jobs.yaml says, and the agent of the engines."""
    named = re.findall(r"jar: (\S+\.jar)", (checkout / "infra/flink/jobs.yaml").read_text())
    for path in (*named, "flink-jobs/lake-job/target/lake-tables.jar", "agent/opentelemetry-javaagent.jar"):
        assert (root / "opt/tidemark" / path).is_file(), f"the image of provisioning has no {path}"


def check_jobs(checkout: pathlib.Path, root: pathlib.Path) -> None:
    named = {f"{job}.jar" for job in re.findall(r"jar: (?:\S*/)?([\w-]+)\.jar", (checkout / "infra/flink/jobs.yaml").read_text())}
    held = {path.name for path in (root / "opt/flink/usrlib").iterdir()}
    assert held == named, f"the image of the jobs holds {sorted(held)}, not {sorted(named)}"


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
