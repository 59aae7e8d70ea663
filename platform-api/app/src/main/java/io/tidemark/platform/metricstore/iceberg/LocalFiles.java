package io.tidemark.platform.metricstore.iceberg;

import java.io.File;
import java.net.URI;
import org.apache.iceberg.Files;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** Files of the warehouse on the local disk, without Hadoop; they are read and never changed. */
final class LocalFiles implements FileIO {

  private static final long serialVersionUID = 1L;

  @Override
  public InputFile newInputFile(String location) {
    File file =
        location.startsWith("file:")
            ? new File(URI.create(location).getPath())
            : new File(location);
    return new Located(location, Files.localInput(file));
  }

  @Override
  public OutputFile newOutputFile(String location) {
    throw new UnsupportedOperationException("platform-api never writes to the lake");
  }

  @Override
  public void deleteFile(String location) {
    throw new UnsupportedOperationException("platform-api never deletes from the lake");
  }

  /** Named as in the metadata. */
  private record Located(String location, InputFile file) implements InputFile {
    @Override
    public long getLength() {
      if (!file.exists()) {
        throw new NotFoundException("There is no file %s", location);
      }
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      return file.newStream();
    }

    @Override
    public boolean exists() {
      return file.exists();
    }
  }
}
