/** Measures only while it is enabled. */
public class TemperatureMonitor {
    private boolean enabled = false;
    private int temperature;

    void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    void updateTemperature(int temperature) {
        if (enabled) {
            this.temperature = temperature;
        }
    }

    int getTemperature() {
        return temperature;
    }

    boolean warning() {
        return getTemperature() > 80;
    }
}
