package io.tidemark.flink.lake;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.Files;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsBulkOperations;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Table files on the local disk, without Hadoop. Locations keep their {@code file:} form in the
 * metadata, so other engines find them.
 */
public final class LocalFileIO implements SupportsBulkOperations, SupportsPrefixOperations {
  private static final long serialVersionUID = 1L;

  @Override
  public InputFile newInputFile(String location) {
    return new LocatedInput(location, Files.localInput(file(location)));
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return new LocatedOutput(location, Files.localOutput(file(location)), this);
  }

  @Override
  public void deleteFile(String location) {
    File file = file(location);
    if (file.exists() && !file.delete()) {
      throw new RuntimeIOException("Cannot delete %s: check the permissions of its folder", file);
    }
  }

  @Override
  public void deleteFiles(Iterable<String> locations) {
    locations.forEach(this::deleteFile);
  }

  /** Regular files below a folder; none if there is no such folder. */
  @Override
  public Iterable<FileInfo> listPrefix(String prefix) {
    Path folder = file(prefix).toPath();
    if (!java.nio.file.Files.isDirectory(folder)) {
      return List.of();
    }
    String root = prefix.endsWith("/") ? prefix : prefix + "/";
    List<FileInfo> found = new ArrayList<>();
    try (Stream<Path> paths = java.nio.file.Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        File file = path.toFile();
        if (file.isFile()) {
          String location = root + folder.relativize(path);
          found.add(new FileInfo(location, file.length(), file.lastModified()));
        }
      }
    } catch (IOException e) {
      throw new RuntimeIOException(e, "Cannot list %s", folder);
    }
    return found;
  }

  @Override
  public void deletePrefix(String prefix) {
    listPrefix(prefix).forEach(found -> deleteFile(found.location()));
  }

  static File file(String location) {
    return location.startsWith("file:")
        ? new File(URI.create(location).getPath())
        : new File(location);
  }

  /** Reads a local file, named as in the metadata. */
  private record LocatedInput(String location, InputFile file) implements InputFile {
    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public org.apache.iceberg.io.SeekableInputStream newStream() {
      return file.newStream();
    }

    @Override
    public boolean exists() {
      return file.exists();
    }
  }

  /** Writes a local file, named as in the metadata. */
  private record LocatedOutput(String location, OutputFile file, FileIO io) implements OutputFile {
    @Override
    public org.apache.iceberg.io.PositionOutputStream create() {
      return file.create();
    }

    @Override
    public org.apache.iceberg.io.PositionOutputStream createOrOverwrite() {
      return file.createOrOverwrite();
    }

    @Override
    public InputFile toInputFile() {
      return io.newInputFile(location);
    }
  }
}
